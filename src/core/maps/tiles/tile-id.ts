/**
 * PMTiles number tiles along one Hilbert curve per zoom, the zooms one after the other (PMTiles specification 3, "Tile
 * IDs"). Numbers stay below 2^53 up to zoom 26.
 */
export function tileId(z: number, x: number, y: number): number {
  let id = zoomStart(z);
  let column = x;
  let row = y;
  for (let side = 2 ** (z - 1); side >= 1; side /= 2) {
    const right = column >= side ? 1 : 0;
    const below = row >= side ? 1 : 0;
    id += side * side * ((3 * right) ^ below);
    column -= right * side;
    row -= below * side;
    if (below === 0) {
      if (right === 1) {
        column = side - 1 - column;
        row = side - 1 - row;
      }
      [column, row] = [row, column];
    }
  }
  return id;
}

/** The tile of a number. */
export function tileOfId(id: number): { z: number; x: number; y: number } {
  let z = 0;
  while (zoomStart(z + 1) <= id) z++;
  let rest = id - zoomStart(z);
  let x = 0;
  let y = 0;
  for (let side = 1; side < 2 ** z; side *= 2) {
    const quarter = rest % 4;
    rest = Math.floor(rest / 4);
    const right = quarter >> 1;
    const below = (quarter ^ right) & 1;
    if (below === 0) {
      if (right === 1) {
        x = side - 1 - x;
        y = side - 1 - y;
      }
      [x, y] = [y, x];
    }
    x += side * right;
    y += side * below;
  }
  return { z, x, y };
}

/** How many tiles all zooms before z have: (4^z − 1) / 3. */
function zoomStart(z: number): number {
  return (4 ** z - 1) / 3;
}
