/** A bucket that fills at `rate` tokens per second up to one second's worth (at least one token). */
export interface TokenBucket {
  tokens: number;
  /** Time at which `tokens` was correct [ms]. */
  at: number;
}

export interface Grant {
  /** Tokens handed out, 0 … wanted. */
  granted: number;
  /** Complete tokens left in the bucket. */
  remaining: number;
  /** Milliseconds until a token is available; 0 if one is available now. */
  retryAfterMs: number;
}

export function fullBucket(rate: number, now: number): TokenBucket {
  return { tokens: capacity(rate), at: now };
}

/** Returns `returned` tokens and takes up to `wanted`. A clock that steps back neither adds nor removes tokens. */
export function takeTokens(bucket: TokenBucket, rate: number, wanted: number, now: number, returned = 0): Grant {
  const elapsed = Math.max(0, now - bucket.at);
  bucket.tokens = Math.min(capacity(rate), bucket.tokens + returned + (elapsed * rate) / 1000);
  bucket.at = now;
  const granted = Math.min(wanted, Math.floor(bucket.tokens + 1e-9));
  bucket.tokens -= granted;
  const missing = 1 - bucket.tokens;
  return {
    granted,
    remaining: Math.max(0, Math.floor(bucket.tokens)),
    retryAfterMs: missing <= 1e-9 ? 0 : Math.ceil((missing * 1000) / rate - 1e-6),
  };
}

function capacity(rate: number): number {
  return Math.max(1, rate);
}
