import { Type, type TSchema } from "typebox";

const count = Type.Integer({ minimum: 0 });
const number = Type.Union([Type.Number(), Type.Null()]);
const text = Type.Union([Type.String(), Type.Null()]);

const byId = (schema: TSchema, description?: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: "object",
    additionalProperties: schema,
    ...(description && { description }),
  });

const shape = (title: string, properties: Record<string, TSchema>) =>
  Type.Object(properties, { title, additionalProperties: false });

const counts = byId(count);
const scale = { mean: number, min: number, max: number, counts: byId(count, "by step") };

/** Shapes of `distribution` in results. Each question type has one (contract 7.7). */
export const distributionSchemas = {
  none: shape("NoDistribution", {}),
  choices: shape("ChoiceDistribution", { counts: byId(count, "by choice") }),
  booleans: shape("BooleanDistribution", { counts: shape("BooleanCounts", { true: count, false: count }) }),
  scale: shape("ScaleDistribution", scale),
  nps: shape("NpsDistribution", { ...scale, score: number, promoters: count, passives: count, detractors: count }),
  numbers: shape("NumberDistribution", {
    mean: number,
    min: number,
    max: number,
    histogram: Type.Array(shape("HistogramBar", { from: Type.Number(), to: Type.Number(), count })),
  }),
  timestamps: shape("MomentDistribution", { min: text, max: text, counts }),
  matrix: shape("MatrixDistribution", { rows: byId(counts, "by row and column, without zeros") }),
  dropdownMatrix: shape("DropdownMatrixDistribution", {
    rows: byId(byId(counts), "by row, column and option, without zeros"),
  }),
  ranks: shape("RankDistribution", {
    ranks: byId(shape("RankCounts", { mean: number, counts }), "by choice; its mean position and counts by position"),
  }),
  sums: shape("SumDistribution", { sums: byId(Type.Number(), "by choice"), means: byId(number, "by choice") }),
  files: shape("FileDistribution", { files: count }),
  parts: shape("PartDistribution", { counts: byId(count, "answers that have the part") }),
};

export type DistributionShape = keyof typeof distributionSchemas;
