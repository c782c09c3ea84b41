import { type Database, query } from "../data/database.ts";
import { createProject, DOCTOR_PROJECT, revokeKeys, rotateKey } from "../project/projects.ts";

export interface OwnKey {
  key: string;
  /** Revokes it. */
  end(): Promise<void>;
}

/** Creates a secret key of a separate project for one run of the doctor. */
export async function ownKey(database: Database): Promise<OwnKey> {
  const [known] = await query(database, "SELECT id FROM project WHERE name = ? ORDER BY id LIMIT 1", DOCTOR_PROJECT);
  const project = known ? Number(known.id) : (await createProject(database, DOCTOR_PROJECT)).id;
  const { key } = await rotateKey(database, project, "testSecret");
  return { key, end: async () => void (await revokeKeys(database, project, "testSecret")) };
}
