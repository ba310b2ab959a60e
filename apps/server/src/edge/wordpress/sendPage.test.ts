import { expect, test } from "vitest";
import { chooseEncoding } from "../chooseEncoding.ts";
import { encodingFor } from "./sendPage.ts";

test("the encoding of a page is the same whether the header was seen before or not, however many there are", () => {
  const accepted = [undefined, "", "br", "gzip, deflate, br, zstd", "br;q=0, gzip", "identity", "*", "x".repeat(500)];
  for (let round = 0; round < 3; round++) {
    for (const text of accepted)
      expect(encodingFor({ "accept-encoding": text }), text).toBe(chooseEncoding(text, { br: 0, gzip: 0 }));
    for (let index = 0; index < 1000; index++) encodingFor({ "accept-encoding": `gzip, x-${round}-${index}` });
  }
});
