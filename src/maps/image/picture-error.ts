/** Why a caller's picture is not taken, as a sentence for the caller. */
export class PictureError extends Error {}
