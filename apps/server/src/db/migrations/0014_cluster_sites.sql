CREATE TABLE "cluster_sites" (
	"site_id" uuid PRIMARY KEY NOT NULL,
	"database_host" text NOT NULL,
	"secrets" "bytea" NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"installed_core" text
);
