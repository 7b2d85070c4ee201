import { waitFor } from "@canvass/testing";
import type { ApiResponse, ApiClient } from "../src/index.ts";

/** Reads a list until its page has at least `count` items. Returns that page. */
export function waitForItems(api: ApiClient, path: string, count = 1): Promise<ApiResponse> {
  return waitFor(
    async () => {
      const page = await api.get(path);
      return page.data.length >= count ? page : undefined;
    },
    { describe: `${count} items of ${path}` },
  );
}
