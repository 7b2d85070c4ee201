import { urlViolation } from "@canvass/command-line";
import { SERVICES, type ServiceName } from "../token-service/find-service.ts";

/** In the order of an import: tokens, members and plan first, services that send anything last. */
export const MOVING_SERVICES = ["token", "survey", "distribution", "response", "webhook", "delivery"] as const;

const others = ["survey", "distribution", "response", "webhook", "delivery"] as const;

const optionOf = (service: ServiceName) =>
  ({
    placeholder: "url",
    help: `a ${service} service elsewhere, beside ${SERVICES.token}`,
    violation: urlViolation,
  }) as const;

export const elsewhere = Object.fromEntries(
  others.map((service) => [`${service}Service`, optionOf(service)]),
) as Record<`${(typeof others)[number]}Service`, ReturnType<typeof optionOf>>;
