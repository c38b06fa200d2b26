/** Numbers of the normal distribution with sigma 1 (Box and Muller 1958). */
export function gaussian(random: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
