/** Counts what is made and freed on the graphics card; runs in the page, before its own scripts. */
export const countGpu = (): void => {
  const gpu = { made: 0, freed: 0 };
  Object.assign(window, { gpu });
  const prototype = WebGL2RenderingContext.prototype as unknown as Record<string, (...given: unknown[]) => unknown>;
  for (const kind of ['Buffer', 'Texture', 'Program', 'VertexArray', 'Framebuffer', 'Renderbuffer']) {
    const [create, remove] = [prototype[`create${kind}`]!, prototype[`delete${kind}`]!];
    prototype[`create${kind}`] = function made(this: unknown, ...given) {
      gpu.made += 1;
      return create.apply(this, given);
    };
    prototype[`delete${kind}`] = function freed(this: unknown, ...given) {
      if (given[0]) gpu.freed += 1;
      return remove.apply(this, given);
    };
  }
};
