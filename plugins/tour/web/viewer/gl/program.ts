/**
 * A linked program with its uniforms by name. Attributes have fixed locations, so that all programs share one vertex
 * array.
 */
export interface Program {
  readonly handle: WebGLProgram;
  readonly findUniform: (name: string) => WebGLUniformLocation | null;
}

export const attributeLocations = { corner: 0, bounds: 1, layerFill: 2 } as const;

/** Starts compiling and linking, which the graphics process does asynchronously. */
export function startProgram(gl: WebGL2RenderingContext, vertexSource: string, fragmentSource: string): WebGLProgram {
  const handle = gl.createProgram();
  for (const [shaderType, source] of [
    [gl.VERTEX_SHADER, vertexSource],
    [gl.FRAGMENT_SHADER, fragmentSource],
  ] as const) {
    const shader = gl.createShader(shaderType);
    if (!shader) continue;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(handle, shader);
    gl.deleteShader(shader);
  }
  for (const [name, location] of Object.entries(attributeLocations)) gl.bindAttribLocation(handle, location, name);
  gl.linkProgram(handle);
  return handle;
}

/**
 * Waits until the program is linked.
 *
 * @throws an error with the compiler's log
 */
export function finishProgram(gl: WebGL2RenderingContext, handle: WebGLProgram): Program {
  if (!gl.getProgramParameter(handle, gl.LINK_STATUS) && !gl.isContextLost()) {
    const logs = (gl.getAttachedShaders(handle) ?? []).map((shader) => gl.getShaderInfoLog(shader)).join('\n');
    throw new Error(`A shader of the panorama could not be built: ${gl.getProgramInfoLog(handle) ?? ''} ${logs}`);
  }
  const uniforms = new Map<string, WebGLUniformLocation | null>();
  return {
    handle,
    findUniform: (name) => {
      if (!uniforms.has(name)) uniforms.set(name, gl.getUniformLocation(handle, name));
      return uniforms.get(name) ?? null;
    },
  };
}
