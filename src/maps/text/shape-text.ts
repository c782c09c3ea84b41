export function shapeText(text: string): string {
  return text;
}
