// The peer of GET /redux: the least that a Fastify route can do to answer from the database.
import fastify from "fastify";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"] });
const { rows } = await pool.query("select id from users limit 1");
const app = fastify();
app.get("/", async () => {
  const found = await pool.query({ name: "user", text: "select * from users where id = $1", values: [rows[0].id] });
  return found.rows[0];
});
await app.listen({ port: Number(process.env["PORT"]), host: "127.0.0.1" });
console.log("listening");
for (const event of ["SIGTERM", "disconnect"]) process.on(event, () => process.exit(0));
