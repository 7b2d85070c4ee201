import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ErasureReceiptSchema } from "@canvass/proto/distribution-contacts";
import type { Erasure } from "../../storage/contacts/contact-erasures.ts";

/** Services that store data about contacts. An erasure is complete when all have reported it. */
const services = ["distribution", "response"];

export function erasureReceipt(
  anonymizedAt: Date,
  erasures: readonly Erasure[],
): MessageInitShape<typeof ErasureReceiptSchema> {
  const isComplete = services.every((service) => erasures.some((erasure) => erasure.service === service));
  const completedAt = Math.max(...erasures.map(({ erasedAt }) => erasedAt.getTime()));
  return {
    requestedAt: timestampFromDate(anonymizedAt),
    ...(isComplete && { completedAt: timestampFromDate(new Date(completedAt)) }),
    services: erasures.map(({ service, erased, erasedAt }) => ({ service, erased, at: timestampFromDate(erasedAt) })),
  };
}
