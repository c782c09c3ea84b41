import { ts } from "@ts-morph/common";

/** Types, imports, exports of names and lines of a log hold no rules. */
export const isOutsideOfRules = (node: ts.Node): boolean =>
  ts.isTypeNode(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isTypeParameterDeclaration(node) ||
  (ts.isExpressionStatement(node) && isLog(node.expression)) ||
  (ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword));

/** The text of a name, a directive, or a sentence for a person: no test should depend on its words. */
export function isMessage(node: ts.Node): boolean {
  const literal = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isNumericLiteral(node);
  if (ts.isExpressionStatement(node) && ts.isStringLiteral(node.expression)) return true;
  if (!literal) return false;
  const { parent } = node;
  if ("name" in parent && parent.name === node) return true;
  if (ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword) return true;
  if (ts.isTaggedTemplateExpression(parent) || ts.isExpressionStatement(parent)) return true;
  if (ts.isNumericLiteral(node)) return false;
  const words = node.getText().split(/\s+/).length;
  return words > 2 || isInside(node, (outer) => (ts.isNewExpression(outer) && isError(outer)) || isLog(outer));
}

const isError = ({ expression }: ts.NewExpression) => ts.isIdentifier(expression) && expression.text.endsWith("Error");

const isLog = (node: ts.Node): boolean =>
  ts.isCallExpression(node) && /^(console\.\w+|tell|report|log)$/.test(node.expression.getText());

function isInside(node: ts.Node, test: (outer: ts.Node) => boolean): boolean {
  for (let at = node.parent; at && !ts.isStatement(at); at = at.parent) if (test(at)) return true;
  return ts.isThrowStatement(node.parent);
}

/** Is this literal on the left of an assignment: `[a, b] = [b, a]`? */
export function isTarget(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent))
    return parent.operatorToken.kind === ts.SyntaxKind.EqualsToken && parent.left === node;
  if (ts.isForOfStatement(parent)) return parent.initializer === node;
  const isPart =
    ts.isPropertyAssignment(parent) || ts.isArrayLiteralExpression(parent) || ts.isObjectLiteralExpression(parent);
  return isPart && isTarget(parent);
}
