import { ts } from "@ts-morph/common";
import { isMessage, isOutsideOfRules, isTarget } from "./skipped.ts";

/** A node that may change, and the text that replaces it. */
export interface Site {
  node: ts.Node;
  kind: "expression" | "statement";
  mutator: string;
  mutated: string;
}

const { SyntaxKind: Kind } = ts;

/** Operators and their replacements: the opposite, and the same rule with its boundary moved. */
const OPERATORS: Partial<Record<ts.SyntaxKind, [mutator: string, ...operators: string[]]>> = {
  [Kind.LessThanToken]: ["comparison", "<=", ">="],
  [Kind.LessThanEqualsToken]: ["comparison", "<", ">"],
  [Kind.GreaterThanToken]: ["comparison", ">=", "<="],
  [Kind.GreaterThanEqualsToken]: ["comparison", ">", "<"],
  [Kind.EqualsEqualsEqualsToken]: ["comparison", "!=="],
  [Kind.ExclamationEqualsEqualsToken]: ["comparison", "==="],
  [Kind.AmpersandAmpersandToken]: ["logical operator", "||"],
  [Kind.BarBarToken]: ["logical operator", "&&"],
  [Kind.MinusToken]: ["arithmetic", "+"],
  [Kind.AsteriskToken]: ["arithmetic", "/"],
  [Kind.SlashToken]: ["arithmetic", "*"],
  [Kind.PercentToken]: ["arithmetic", "*"],
  [Kind.AmpersandToken]: ["arithmetic", "|"],
  [Kind.BarToken]: ["arithmetic", "&"],
  [Kind.LessThanLessThanToken]: ["arithmetic", ">>"],
  [Kind.GreaterThanGreaterThanToken]: ["arithmetic", "<<"],
  [Kind.GreaterThanGreaterThanGreaterThanToken]: ["arithmetic", "<<"],
  [Kind.PlusEqualsToken]: ["arithmetic", "-="],
  [Kind.MinusEqualsToken]: ["arithmetic", "+="],
  [Kind.AsteriskEqualsToken]: ["arithmetic", "/="],
};

/** Calls of methods and their opposites. */
const METHODS: Record<string, string> = {
  min: "max",
  max: "min",
  floor: "ceil",
  ceil: "floor",
  some: "every",
  every: "some",
  startsWith: "endsWith",
  endsWith: "startsWith",
};

/** Calls that are dropped: `list.filter(f)` becomes `list`. */
const DROPPED = new Set(["filter", "toSorted", "sort", "reverse", "toReversed", "trim", "toLowerCase", "toUpperCase"]);

/** Every place of a source where a rule can change. */
export function sitesOf(tree: ts.SourceFile): Site[] {
  const sites: Site[] = [];
  const visit = (node: ts.Node): void => {
    if (isOutsideOfRules(node)) return;
    if (!isMessage(node)) for (const rule of RULES) sites.push(...rule(node, tree));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return sites;
}

type Rule = (node: ts.Node, tree: ts.SourceFile) => Site[];

const change = (mutator: string, node: ts.Node, ...texts: string[]): Site[] =>
  texts.map((mutated) => ({ node, kind: "expression", mutator, mutated }));

const RULES: Rule[] = [
  function operators(node, tree) {
    if (!ts.isBinaryExpression(node)) return [];
    const { left, operatorToken, right } = node;
    const [leftText, rightText] = [left.getText(tree), right.getText(tree)];
    const swap = OPERATORS[operatorToken.kind];
    const sites = swap
      ? change(swap[0], node, ...swap.slice(1).map((operator) => joined(leftText, operator, rightText)))
      : [];
    if (operatorToken.kind === Kind.PlusToken && !isText(left) && !isText(right))
      sites.push(...change("arithmetic", node, joined(leftText, "-", rightText)));
    if (operatorToken.kind === Kind.QuestionQuestionToken || operatorToken.kind === Kind.BarBarToken)
      sites.push(...change("default dropped", node, leftText));
    return sites;
  },

  function conditions(node, tree) {
    if (ts.isIfStatement(node)) return change("condition", node.expression, "true", "false");
    if (ts.isConditionalExpression(node)) return change("condition", node.condition, "true", "false");
    // Forced true, a loop has no end.
    if (ts.isWhileStatement(node)) return change("condition", node.expression, "false");
    if (ts.isForStatement(node) && node.condition) return change("condition", node.condition, "false");
    if (ts.isPrefixUnaryExpression(node) && node.operator === Kind.ExclamationToken)
      return change("negation", node, node.operand.getText(tree));
    return [];
  },

  function constants(node, tree) {
    if (ts.isNumericLiteral(node)) {
      const value = Number(node.text.replaceAll("_", ""));
      return change("number", node, String(value + 1), ...(value > 1 ? [String(value * 2)] : []));
    }
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
      return change("string", node, node.text === "" ? '"mutated"' : '""');
    if (ts.isTemplateExpression(node)) return change("string", node, '""');
    if (node.kind === Kind.TrueKeyword) return change("boolean", node, "false");
    if (node.kind === Kind.FalseKeyword) return change("boolean", node, "true");
    if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && !isTarget(node))
      return change("literal emptied", node, "[]");
    if (ts.isObjectLiteralExpression(node) && node.properties.length > 0 && !isTarget(node))
      return change("literal emptied", node, "{}");
    if ((ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) && STEPS[node.operator])
      return change("arithmetic", node, node.getText(tree).replace(...STEPS[node.operator]!));
    return [];
  },

  function returns(node) {
    const value = ts.isReturnStatement(node)
      ? node.expression
      : ts.isArrowFunction(node) && !ts.isBlock(node.body)
        ? node.body
        : undefined;
    const plain = value && (ts.isIdentifier(value) ? value.text === "undefined" : value.kind === Kind.NullKeyword);
    return value && !plain ? change("return value dropped", value, "undefined") : [];
  },

  function statements(node) {
    const removable =
      (ts.isExpressionStatement(node) && !isSuperCall(node.expression)) ||
      ts.isThrowStatement(node) ||
      ts.isContinueStatement(node) ||
      (ts.isReturnStatement(node) && !node.expression);
    return removable ? [{ node, kind: "statement", mutator: "statement removed", mutated: "" }] : [];
  },

  function methods(node, tree) {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
    // Inside a chain with `?.` parentheses would end its short cut.
    if (node.flags & ts.NodeFlags.OptionalChain) return [];
    const { expression: object, name } = node.expression;
    const inside = node.getText(tree).slice(name.getEnd() - node.getStart(tree));
    const opposite = Object.hasOwn(METHODS, name.text) ? METHODS[name.text] : undefined;
    if (opposite) return change("method", node, `${object.getText(tree)}.${opposite}${inside}`);
    return DROPPED.has(name.text) ? change("call dropped", node, object.getText(tree)) : [];
  },

  function chains(node, tree) {
    if (!ts.isOptionalChain(node) || isInsideChain(node)) return [];
    return change("optional chaining", node, withoutQuestions(node, tree));
  },
];

const STEPS: Partial<Record<ts.SyntaxKind, [string, string]>> = {
  [Kind.PlusPlusToken]: ["++", "--"],
  [Kind.MinusMinusToken]: ["--", "++"],
};

/** `&&` and `||` do not mix with `??` without parentheses. */
const joined = (left: string, operator: string, right: string) =>
  /^(&&|\|\|)$/.test(operator) ? `(${left}) ${operator} (${right})` : `${left} ${operator} ${right}`;

const isText = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  (ts.isBinaryExpression(node) && (isText(node.left) || isText(node.right)));

const isSuperCall = (node: ts.Node) => ts.isCallExpression(node) && node.expression.kind === Kind.SuperKeyword;

function isInsideChain(node: ts.Node): boolean {
  const { parent } = node;
  const goesOn =
    ts.isPropertyAccessExpression(parent) ||
    ts.isElementAccessExpression(parent) ||
    ts.isCallExpression(parent) ||
    ts.isNonNullExpression(parent);
  return goesOn && parent.expression === node;
}

/** A link of a chain: `.name`, `[key]`, `(arguments)` or `!`, with the `?.` before it. */
interface Link extends ts.Node {
  expression?: Link;
  questionDotToken?: ts.Node;
}

/** The text of a chain without its `?.`; those in its arguments stay. */
function withoutQuestions(chain: ts.Node, tree: ts.SourceFile): string {
  const start = chain.getStart(tree);
  let text = chain.getText(tree);
  // From the last link to the first, so that offsets before stay true.
  for (let at: Link | undefined = chain; at && ts.isOptionalChain(at); at = at.expression) {
    const token = (at as Link).questionDotToken;
    if (!token) continue;
    const dot = ts.isPropertyAccessExpression(at) ? "." : "";
    text = text.slice(0, token.getStart(tree) - start) + dot + text.slice(token.getEnd() - start);
  }
  return text;
}
