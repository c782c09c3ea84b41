const encoder = new TextEncoder();
const BEYOND_ASCII = /[\u0080-\uffff]/;

/** Length of a text in UTF-8 [bytes], as it is stored and sent. */
export function utf8Length(text: string): number {
  return BEYOND_ASCII.test(text) ? encoder.encode(text).length : text.length;
}
