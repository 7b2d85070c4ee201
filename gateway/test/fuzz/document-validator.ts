import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";

/**
 * Returns validators of the schemas of an OpenAPI document, each found by the keys that lead to it. They follow the
 * document's references, so that a schema which many others hold is compiled once.
 */
export function documentValidator(document: object): (...keys: readonly string[]) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false });
  ajvFormats.default(ajv);
  ajv.addKeyword({
    keyword: "x-max-json-bytes",
    validate: (most: number, value: unknown) => Buffer.byteLength(JSON.stringify(value)) <= most,
  });
  ajv.addSchema(document, "document");
  return (...keys) => {
    const pointer = keys.map((key) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1")));
    const validate = ajv.getSchema(`document#/${pointer.join("/")}`);
    if (!validate) throw new Error(`the document has no schema at ${keys.join(" ")}`);
    return validate as ValidateFunction;
  };
}
