import { parentPort } from "node:worker_threads";
import { AppError } from "../../platform/AppError.ts";
import { type PlanFault, parsePlan } from "./parsePlan.ts";

parentPort?.on("message", (body: Uint8Array) => {
  try {
    const plan = parsePlan(body);
    parentPort?.postMessage(plan, [plan.sizes]);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const fault: PlanFault = { error: error.key, detail: error.detail };
    parentPort?.postMessage(fault);
  }
});
