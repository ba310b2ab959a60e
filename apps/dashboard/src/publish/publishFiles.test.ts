import { expect, onTestFinished, test, vi } from "vitest";
import { hashFiles, publishFiles } from "./publishFiles.ts";

const json = (status: number, body: object) => new Response(JSON.stringify(body), { status });

test("files that the server has lost since the plan are sent, once", async () => {
  const files = await hashFiles([{ path: "index.html", blob: new Blob(["x"]) }], () => undefined);
  const lost = json(409, { error: "error_deploy_incomplete", missing: files.map(({ sha256 }) => sha256) });
  const answers = [json(200, { id: "d", missing: [] }), lost.clone(), json(200, {}), json(200, { id: "d" })];
  const asked = vi.fn(async (_path: string, _init: RequestInit) => answers.shift() ?? lost.clone());
  vi.stubGlobal("fetch", asked);
  onTestFinished(() => void vi.unstubAllGlobals());
  const publish = () =>
    publishFiles("folio", files, {
      key: "key",
      message: "",
      report: { findings: [], bytes: {} },
      onProgress: () => undefined,
    });
  expect(await publish()).toEqual({ id: "d" });
  expect(asked.mock.calls.map(([, { method }]) => method)).toEqual(["POST", "POST", "PUT", "POST"]);

  answers.push(json(200, { id: "d", missing: [] }), lost.clone(), json(200, {}));
  await expect(publish()).rejects.toMatchObject({ key: "error_deploy_incomplete" });
  expect(asked).toHaveBeenCalledTimes(8);
});
