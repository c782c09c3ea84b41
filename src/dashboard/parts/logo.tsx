/** The graticule: a globe's grid of meridians and parallels. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" style={{ flex: "none" }}>
      <rect width="32" height="32" rx="8" fill="var(--accent-fill)" />
      <g fill="none" stroke="#fff" stroke-width="2">
        <circle cx="16" cy="16" r="9" />
        <ellipse cx="16" cy="16" rx="4" ry="9" />
        <path d="M7.8 12.5h16.4M7.8 19.5h16.4" />
      </g>
    </svg>
  );
}
