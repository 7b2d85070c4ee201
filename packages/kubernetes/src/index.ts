export type { Kustomization } from "./kustomization.ts";
export { containersOf, podLabelsOf, podTemplateOf } from "./manifest.ts";
export type { Container, Manifest, PodSpec } from "./manifest.ts";
export { render } from "./render.ts";
export { splitImage } from "./transformers.ts";
