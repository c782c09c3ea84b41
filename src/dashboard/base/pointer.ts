/** What a hint calls pressing on a map: a finger taps. */
export const CLICK = matchMedia("(pointer: coarse)").matches ? "Tap" : "Click";
