import { parseRedirects } from "@nido/contract";
import { expect, test } from "vitest";
import { createSiteFolder } from "./createSiteFolder.ts";
import { findBrokenLinks } from "./findBrokenLinks.ts";

test("only links to missing pages of the same site are reported", () => {
  const page = `<a href="/about">1</a> <a href='about/'>2</a> <img src=logo.png> <a href="https://other.example/x">3</a>
    <a href="#top">4</a> <a href="mailto:a@b.example">5</a> <a href="/blog?page=2#x">6</a> <a href="/old/x">7</a>
    <!-- <a href="/commented"> --> <a href="/gone">8</a> <a href="../outside/none.html">9</a> <a href="{{ url }}">10</a>`;
  const folder = createSiteFolder({ "index.html": page });
  const files = new Set(["index.html", "about.html", "blog/index.html", "logo.png"]);
  const { rules } = parseRedirects("/old/* /about");
  expect(findBrokenLinks(folder, ["index.html"], files, rules).map(({ link }) => link)).toEqual([
    "/gone",
    "../outside/none.html",
  ]);
});
