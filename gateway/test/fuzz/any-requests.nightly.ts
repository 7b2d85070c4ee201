import { anyRequests } from "./any-requests.ts";

anyRequests({ proper: 25, odd: 50 });
