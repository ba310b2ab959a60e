import { readFileSync } from "node:fs";

/** What makes another WordPress readable. */
export const pluginFiles = {
  "nido-move.php": readFileSync(new URL("nido-move.php", import.meta.url)),
  "table-sql.php": readFileSync(new URL("../php/table-sql.php", import.meta.url)),
};
