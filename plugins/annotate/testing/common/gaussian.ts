/**
 * Creates a source of normally distributed numbers with sigma 1.
 *
 * @see Box and Muller 1958
 */
export function createGaussianNoise(random: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
