import { AppError } from "@canvass/errors";
import createRouter from "find-my-way";

/** The known addresses and their methods. */
export interface Addresses {
  add: (template: string, methods: readonly string[]) => void;
  /** The refusal of a request without a route: 404 at an unknown address, else 405 with the methods. */
  refusal: (target: string) => Refusal;
  /** A 405 that names every method. */
  unknownMethod: () => Refusal;
}

export interface Refusal {
  error: AppError;
  /** For `Allow`; absent with a 404. */
  allow?: string;
}

export function createAddresses(): Addresses {
  const methodsAt = new Map<string, Set<string>>();
  const router = createRouter({ maxParamLength: Number.MAX_SAFE_INTEGER });

  function notAllowed(methods: ReadonlySet<string>): Refusal {
    return { error: new AppError("method_not_allowed"), allow: [...methods].join(", ") };
  }

  return {
    add(template, methods) {
      const known = methodsAt.get(template);
      if (known) {
        for (const each of methods) known.add(each);
      } else {
        methodsAt.set(template, new Set(methods));
        // The second router knows addresses only, with any method.
        router.on("GET", template, () => undefined, template);
      }
    },
    refusal(target) {
      const [path = ""] = target.split("?");
      const template = isPath(path) ? (router.find("GET", path)?.store as string | undefined) : undefined;
      return template === undefined ? { error: new AppError("route_not_found") } : notAllowed(methodsAt.get(template)!);
    },
    unknownMethod: () => notAllowed(new Set([...methodsAt.values()].flatMap((methods) => [...methods]))),
  };
}

/** Whether a target is an address (RFC 9112, 3.2): the `*` of OPTIONS is none, though the router takes it for `/`. */
export const isPath = (target: string): boolean => target.startsWith("/") || /^https?:\/\//i.test(target);
