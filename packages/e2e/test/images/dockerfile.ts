import { readFileSync } from "node:fs";
import { join } from "node:path";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { DockerfileParser, type Instruction, type JSONInstruction, type PropertyInstruction } from "dockerfile-ast";

const dockerfile = DockerfileParser.parse(readFileSync(join(WORKSPACE_ROOT, "deploy/docker/Dockerfile"), "utf8"));
const instructions = dockerfile.getInstructions();
const lastStage = instructions.findLastIndex((each) => each.getKeyword() === "FROM");

const named = (keyword: string, among: readonly Instruction[]) => among.filter((each) => each.getKeyword() === keyword);
const argumentsOf = (each: Instruction): string => each.getArgumentsContent() ?? "";

/** The words of an instruction in JSON form, such as `CMD ["node", "x"]`. */
function words(keyword: string): string[] {
  const [found] = named(keyword, final) as JSONInstruction[];
  return found!.getJSONStrings().map((each) => JSON.parse(each.getValue()) as string);
}

const build = instructions.slice(0, lastStage);
const final = instructions.slice(lastStage);

/** The Dockerfile's settings by stage. */
export const image = {
  base: argumentsOf(named("FROM", build)[0]!),
  /** Commands of the build, without their cache mounts. */
  runs: named("RUN", build).map((each) => argumentsOf(each).replace(/^--mount=\S+ /, "")),
  finalBase: argumentsOf(final[0]!),
  finalKeywords: final.map((each) => each.getKeyword()),
  user: argumentsOf(named("USER", final)[0]!),
  directory: argumentsOf(named("WORKDIR", final)[0]!),
  environment: Object.fromEntries(
    (named("ENV", final) as PropertyInstruction[]).flatMap((each) =>
      each.getProperties().map((property) => [property.getName(), property.getValue() ?? ""] as const),
    ),
  ),
  entryPoint: words("ENTRYPOINT"),
  command: words("CMD"),
  healthCheck: argumentsOf(named("HEALTHCHECK", final)[0]!),
};
