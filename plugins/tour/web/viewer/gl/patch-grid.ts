import { attributeLocations } from './program.ts';

/** A grid of triangles over the unit square. All programs share its buffers. */
export interface PatchGrid {
  readonly bind: () => void;
  readonly indexCount: number;
}

/** Creates a grid of `columns` by `rows` cells with corners in [0, 1] and two triangles per cell. */
function createGrid(
  columns: number,
  rows: number,
): { readonly corners: Float32Array; readonly triangles: Uint32Array } {
  const corners = new Float32Array((columns + 1) * (rows + 1) * 2);
  const triangles = new Uint32Array(columns * rows * 6);
  let offset = 0;
  for (let j = 0; j <= rows; j++)
    for (let i = 0; i <= columns; i++) corners.set([i / columns, j / rows], 2 * (j * (columns + 1) + i));
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const corner = j * (columns + 1) + i;
      triangles.set(
        [corner, corner + columns + 1, corner + 1, corner + 1, corner + columns + 1, corner + columns + 2],
        offset,
      );
      offset += 6;
    }
  }
  return { corners, triangles };
}

/** @param instanced true to draw the grid once for each entry of an instance buffer */
export function createPatchGrid(
  gl: WebGL2RenderingContext,
  columns: number,
  rows: number,
  instanced: boolean,
): PatchGrid {
  const { corners, triangles } = createGrid(columns, rows);
  const vertexArray = gl.createVertexArray();
  gl.bindVertexArray(vertexArray);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, corners, gl.STATIC_DRAW);
  gl.enableVertexAttribArray(attributeLocations.corner);
  gl.vertexAttribPointer(attributeLocations.corner, 2, gl.FLOAT, false, 0, 0);
  for (const location of instanced ? [attributeLocations.bounds, attributeLocations.layerFill] : []) {
    gl.enableVertexAttribArray(location);
    gl.vertexAttribDivisor(location, 1);
  }
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, triangles, gl.STATIC_DRAW);
  return { bind: () => gl.bindVertexArray(vertexArray), indexCount: triangles.length };
}
