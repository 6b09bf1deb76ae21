// Bytes as text.

const DECODER = new TextDecoder()
/** As many letters as a call surely takes. */
const PART = 4096

/**
 * The text of bytes in UTF-8 that are not shared. Chromium keeps what a `TextDecoder` gives outside of the worker's own heap: the worker
 * sees a few bytes of each text and does not clean for a long time, while megabytes wait. Text without other letters than those of ASCII,
 * nearly all, is made inside.
 */
export function decodeText(bytes) {
  if (bytes.some((byte) => byte > 127)) return DECODER.decode(bytes)
  let text = ''
  for (let at = 0; at < bytes.length; at += PART) text += String.fromCharCode.apply(null, bytes.subarray(at, at + PART))
  return text
}
