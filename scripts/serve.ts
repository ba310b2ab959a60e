// Starts the product from a build, without tools for building: the command of the platform image.
import { main } from "../apps/server/src/main.ts";

await main();
