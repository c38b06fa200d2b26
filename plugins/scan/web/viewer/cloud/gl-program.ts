export interface GlProgram {
  readonly program: WebGLProgram;
  /** Location of a uniform; null if the program does not use it. */
  readonly getUniform: (name: string) => WebGLUniformLocation | null;
}

/** Builds a program. Throws an error with the log if a shader cannot be compiled. */
export function buildProgram(gl: WebGL2RenderingContext, vertex: string, fragment: string): GlProgram {
  const program = gl.createProgram();
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(kind);
    if (!shader) continue;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    gl.deleteShader(shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    const logs = (gl.getAttachedShaders(program) ?? []).map((shader) => gl.getShaderInfoLog(shader)).join('\n');
    throw new Error(`A shader of the point cloud could not be built: ${gl.getProgramInfoLog(program) ?? ''} ${logs}`);
  }
  const locations = new Map<string, WebGLUniformLocation | null>();
  return {
    program,
    getUniform: (name) => {
      const location = locations.get(name) ?? gl.getUniformLocation(program, name);
      locations.set(name, location);
      return location;
    },
  };
}
