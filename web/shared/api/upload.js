// The upload of one file. `fetch` does not tell how much has been sent, so this is an XMLHttpRequest.

import { t } from '../locale/translate.js';
import { failure, MESSAGES } from '../ui/messages.js';
import { fetchAnonKey, messageOf } from './client.js';
import { noteNoResponse, noteResponse } from './connection.js';
import { serverURL } from './server.js';
import { freshToken } from './session.js';

/**
 * Sends a file to be imported.
 * @param {File} file
 * @param {object} [watch]
 * @param {AbortSignal} [watch.signal] ends the upload
 * @param {(fraction: number) => void} [watch.onProgress] called with the fraction that was sent
 * @param {string} [watch.query] further parameters: as a document unless given
 * @returns {Promise<string>} the id of the import
 * @throws {import('./client.js').RequestError} with a message for the user
 */
export async function uploadFile(file, { signal, onProgress, query = 'format=document' } = {}) {
  const [key, token] = await Promise.all([fetchAnonKey(), freshToken()]);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', serverURL(`/import/v1/files?${query}&name=${encodeURIComponent(file.name)}`));
    request.responseType = 'json';
    request.setRequestHeader('apikey', key);
    request.setRequestHeader('Authorization', `Bearer ${token}`);
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total ? loaded / total : 1);
    request.onload = () => {
      noteResponse(sentAt);
      if (request.status === 202) resolve(request.response.id);
      else errorOf(request).then(reject);
    };
    request.onerror = () => {
      noteNoResponse();
      reject(failure(navigator.onLine ? MESSAGES.noResponse : MESSAGES.offline));
    };
    request.onabort = () => reject(Error(t('The upload was cancelled.')));
    signal?.addEventListener('abort', () => request.abort());
    const sentAt = performance.now();
    request.send(file);
  });
}

async function errorOf(request) {
  const { status, response } = request;
  const retryAfter = Number(request.getResponseHeader('Retry-After'));
  return Object.assign(Error(await messageOf(request, response)), { status, retryAfter });
}
