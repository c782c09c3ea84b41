/**
 * How long it is believed where a project lives [ms]: as long as a key is. While it is being moved, for so short a time that its
 * callers hardly notice.
 */
export const [BELIEVED_MS, BELIEVED_MOVING_MS] = [8_000, 1_000];
