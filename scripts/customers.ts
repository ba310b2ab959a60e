// The operator's commands for customers:
//   npm run customers -- find TEXT        finds them by part of an e-mail address, project name or domain, or by an id
//   npm run customers -- suspend PROJECT  suspends a site; a payment does not bring it back
//   npm run customers -- resume PROJECT   lifts that suspension
import { type FoundCustomer, findCustomers } from "../apps/server/src/account/findCustomers.ts";
import { holdProject } from "../apps/server/src/projects/holdProject.ts";
import { db, operate } from "./operate.ts";

const [verb = "", text = ""] = process.argv.slice(2);

await operate(act);

async function act(): Promise<string> {
  if (verb === "find" && text !== "") {
    const found = await findCustomers(db, text);
    return found.map(describe).join("\n\n") || `No customer matches ${text}.`;
  }
  if (verb === "suspend" || verb === "resume") {
    const isHeld = verb === "suspend";
    if (await holdProject(db, text, isHeld)) return `${text} is ${isHeld ? "suspended" : "resumed"}.`;
    throw new Error(`There is no site ${text}, or it is ${isHeld ? "already" : "not"} suspended by an operator.`);
  }
  throw new Error("Usage: npm run customers -- find TEXT | suspend PROJECT | resume PROJECT");
}

function describe({ id, email, name, createdAt, projects }: FoundCustomer): string {
  const lines = projects.map(({ name: project, recipe, status, subId, domains }) =>
    `  ${project.padEnd(20)} ${status.padEnd(12)} ${recipe.padEnd(18)} ${subId} ${domains.join(", ")}`.trimEnd(),
  );
  return [`${email}  ${name}  since ${createdAt.slice(0, 10)}  ${id}`, ...lines].join("\n");
}
