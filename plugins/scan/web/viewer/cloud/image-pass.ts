import { imageFragmentShader, imageVertexShader } from './cloud-shaders.ts';
import { buildProgram, type GlProgram } from './gl-program.ts';

/** Draws points into a texture, and from there to the canvas with their gaps filled and their edges darkened. */
export class ImagePass {
  readonly #gl: WebGL2RenderingContext;
  readonly #program: GlProgram;
  readonly #framebuffer: WebGLFramebuffer;
  readonly #colors: WebGLTexture;
  readonly #depths: WebGLTexture;
  #width = 0;
  #height = 0;

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl;
    this.#program = buildProgram(gl, imageVertexShader, imageFragmentShader);
    this.#framebuffer = gl.createFramebuffer();
    this.#colors = gl.createTexture();
    this.#depths = gl.createTexture();
  }

  /** Directs the following draw calls into the texture. The size is in device pixels. */
  begin(width: number, height: number): void {
    const gl = this.#gl;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#framebuffer);
    if (width === this.#width && height === this.#height) return;
    this.#width = width;
    this.#height = height;
    this.#allocate(this.#colors, gl.COLOR_ATTACHMENT0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE);
    this.#allocate(this.#depths, gl.DEPTH_ATTACHMENT, gl.DEPTH_COMPONENT24, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT);
  }

  /** Draws the texture to the canvas. `depthTerms` is the result of `computeDepthTerms` for the drawn points. */
  finish(
    depthTerms: readonly [number, number],
    background: readonly [number, number, number],
    pixelRatio: number,
  ): void {
    const gl = this.#gl;
    const { program, getUniform } = this.#program;
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.disable(gl.DEPTH_TEST);
    gl.useProgram(program);
    for (const [unit, texture] of [this.#colors, this.#depths].entries()) {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
    }
    gl.uniform1i(getUniform('colors'), 0);
    gl.uniform1i(getUniform('depths'), 1);
    gl.uniform2f(getUniform('depthTerms'), ...depthTerms);
    gl.uniform3f(getUniform('background'), ...background);
    gl.uniform1f(getUniform('pixelRatio'), pixelRatio);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.activeTexture(gl.TEXTURE0);
  }

  close(): void {
    this.#gl.deleteFramebuffer(this.#framebuffer);
    this.#gl.deleteTexture(this.#colors);
    this.#gl.deleteTexture(this.#depths);
    this.#gl.deleteProgram(this.#program.program);
  }

  #allocate(texture: WebGLTexture, attachment: number, internalFormat: number, format: number, type: number): void {
    const gl = this.#gl;
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, internalFormat, this.#width, this.#height, 0, format, type, null);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, attachment, gl.TEXTURE_2D, texture, 0);
  }
}
