import { wholeRoad } from "./road/whole-road.ts";

wholeRoad();
