CREATE TABLE "blobs" (
	"user_id" uuid NOT NULL,
	"sha256" "bytea" NOT NULL,
	"size" bigint NOT NULL,
	"gzip" integer,
	"brotli" integer,
	"compressed_at" timestamp with time zone,
	"added_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "blobs_user_id_sha256_pk" PRIMARY KEY("user_id","sha256")
);
--> statement-breakpoint
CREATE TABLE "branches" (
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"deploy_id" uuid NOT NULL,
	"previous_id" uuid,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "branches_project_id_name_pk" PRIMARY KEY("project_id","name")
);
--> statement-breakpoint
CREATE TABLE "deploys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid NOT NULL,
	"key" text NOT NULL,
	"branch" text NOT NULL,
	"message" text NOT NULL,
	"files" jsonb NOT NULL,
	"file_count" integer NOT NULL,
	"size" bigint NOT NULL,
	"missing" bigint NOT NULL,
	"received" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	"compressed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "tool_grants" (
	"code_hash" "bytea" PRIMARY KEY NOT NULL,
	"challenge" text,
	"user_code" text,
	"tool" text NOT NULL,
	"user_id" uuid,
	"is_denied" boolean DEFAULT false NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "tool_grants_user_code_unique" UNIQUE("user_code")
);
--> statement-breakpoint
CREATE TABLE "tool_tokens" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	CONSTRAINT "tool_tokens_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "blobs" ADD CONSTRAINT "blobs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "branches" ADD CONSTRAINT "branches_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "branches" ADD CONSTRAINT "branches_deploy_id_deploys_id_fk" FOREIGN KEY ("deploy_id") REFERENCES "public"."deploys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deploys" ADD CONSTRAINT "deploys_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_grants" ADD CONSTRAINT "tool_grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_tokens" ADD CONSTRAINT "tool_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "deploys_key" ON "deploys" USING btree ("project_id","key");--> statement-breakpoint
CREATE INDEX "tool_grants_expiry" ON "tool_grants" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "tool_tokens_user" ON "tool_tokens" USING btree ("user_id");