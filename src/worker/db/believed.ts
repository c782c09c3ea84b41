/**
 * How long a project's location is cached [ms]: as long as a key. While the project is being moved, so short that its
 * callers hardly notice.
 */
export const [BELIEVED_MS, BELIEVED_MOVING_MS] = [8_000, 1_000];
