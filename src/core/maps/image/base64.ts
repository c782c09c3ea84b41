export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  // Arguments of a call are limited, and one character at a time is slow.
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(binary);
}
