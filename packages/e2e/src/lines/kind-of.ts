export type Kind = "product" | "test";

const written = /\.(ts|tsx|css|html|proto|prisma)$/;
const forTests = /^packages\/(bench|e2e|testing)\/|\/test\/|\.(test|nightly)\.tsx?$/;
const product = /^(gateway|services\/[^/]+|packages\/[^/]+)\/(src|prisma)\/|^proto\//;

/**
 * Returns whether a file of the checkout counts as product or test; undefined for documents, settings, data and
 * migrations.
 */
export function kindOf(path: string): Kind | undefined {
  if (!written.test(path)) return undefined;
  if (forTests.test(path)) return "test";
  return product.test(path) ? "product" : undefined;
}
