-- Digests do not get smaller; trying takes as long as everything else that planning a deploy asks of the database.
ALTER TABLE "deploys" ALTER COLUMN "files" SET STORAGE EXTERNAL;
