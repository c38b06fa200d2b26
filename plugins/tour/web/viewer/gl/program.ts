/**
 * A linked program with its uniforms by name. Attributes have fixed locations, so that all programs share one vertex
 * array.
 */
export interface Program {
  readonly handle: WebGLProgram;
  readonly uniform: (name: string) => WebGLUniformLocation | null;
}

export const attributePlaces = { at: 0, place: 1, patchOf: 2 } as const;

/** Starts compiling and linking; the graphics process does it asynchronously. */
export function beginProgram(gl: WebGL2RenderingContext, vertex: string, fragment: string): WebGLProgram {
  const handle = gl.createProgram();
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(kind);
    if (!shader) continue;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(handle, shader);
    gl.deleteShader(shader);
  }
  for (const [name, place] of Object.entries(attributePlaces)) gl.bindAttribLocation(handle, place, name);
  gl.linkProgram(handle);
  return handle;
}

/** Waits until the program is linked. Throws with the compiler's log. */
export function finishProgram(gl: WebGL2RenderingContext, handle: WebGLProgram): Program {
  if (!gl.getProgramParameter(handle, gl.LINK_STATUS) && !gl.isContextLost()) {
    const logs = (gl.getAttachedShaders(handle) ?? []).map((shader) => gl.getShaderInfoLog(shader)).join('\n');
    throw new Error(`A shader of the panorama could not be built: ${gl.getProgramInfoLog(handle) ?? ''} ${logs}`);
  }
  const places = new Map<string, WebGLUniformLocation | null>();
  return {
    handle,
    uniform: (name) => {
      if (!places.has(name)) places.set(name, gl.getUniformLocation(handle, name));
      return places.get(name) ?? null;
    },
  };
}
