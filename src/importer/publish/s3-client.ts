import {
  type S3Answer,
  type S3Patience,
  type S3Request,
  S3Requests,
  type S3Settings,
  StorageError,
} from "../../worker/storage/s3-requests.ts";
import { readXml, type XmlElement } from "../../worker/storage/s3-xml.ts";
import { ImportError } from "../common/import-error.ts";

/** Five attempts within 9 s, of a service that answers at all; a part of a large file may take minutes. */
const PATIENCE = {
  tries: 5,
  patience: 900_000,
  silence: 20_000,
  advice: "Run the command again: what is there already is not sent again.",
};

/** The requests of commands to one bucket: more patient than those of the server, and failures end the command. */
export class S3Client {
  readonly bucket: string;
  /** For sentences. */
  readonly where: string;
  readonly #requests: S3Requests;

  constructor(settings: S3Settings, patience: S3Patience = {}) {
    this.bucket = settings.bucket;
    this.where = `the bucket ${settings.bucket}`;
    this.#requests = new S3Requests(settings, { ...PATIENCE, ...patience });
  }

  /** @throws ImportError */
  async send(request: S3Request): Promise<S3Answer> {
    try {
      return await this.#requests.send(request);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      throw new ImportError(`${error.message[0].toUpperCase()}${error.message.slice(1)}`);
    }
  }

  /** The document of a response; undefined for a status that the request handles. @throws ImportError */
  async sendForXml(request: S3Request): Promise<XmlElement | undefined> {
    const { status, bytes } = await this.send(request);
    if (request.handles?.includes(status)) return undefined;
    try {
      return readXml(new TextDecoder().decode(bytes));
    } catch (error) {
      throw new ImportError((error as Error).message);
    }
  }
}
