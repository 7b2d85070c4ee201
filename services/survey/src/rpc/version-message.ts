import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { VersionSummarySchema } from "@canvass/proto/survey-versions";
import type { VersionSummary } from "../storage/versions.ts";

export function toVersionMessage({
  publishedAt,
  ...version
}: VersionSummary): MessageInitShape<typeof VersionSummarySchema> {
  return { ...version, publishedAt: timestampFromDate(publishedAt) };
}
