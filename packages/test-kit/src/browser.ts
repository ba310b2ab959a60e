import { type Browser, chromium } from "@playwright/test";

/** Debian's Chromium. `hosts`: where connections to a host and port go instead, with `*` for any name. */
export function openBrowser(hosts: Record<string, string>): Promise<Browser> {
  const rules = Object.entries(hosts).map(([host, address]) => `MAP ${host} ${address}`);
  return chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", `--host-resolver-rules=${rules.join(",")}`],
  });
}
