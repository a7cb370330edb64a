// The upload of one file. `fetch` does not tell how much has been sent, so this is an XMLHttpRequest.

import { fetchAnonKey } from '../shared/api/client.js';
import { freshToken } from '../shared/api/session.js';
import { t } from '../shared/locale/translate.js';
import { failure, MESSAGES } from '../shared/ui/messages.js';

/**
 * Sends a file to be imported as a document.
 * @param {File} file
 * @param {AbortSignal} signal ends the upload
 * @param {(fraction: number) => void} onProgress called with the fraction that was sent
 * @returns {Promise<string>} the id of the import
 * @throws {Error} with a message for the user
 */
export async function uploadFile(file, signal, onProgress) {
  const [key, token] = await Promise.all([fetchAnonKey(), freshToken()]);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/import/v1/files?format=document&name=${encodeURIComponent(file.name)}`);
    request.responseType = 'json';
    request.setRequestHeader('apikey', key);
    request.setRequestHeader('Authorization', `Bearer ${token}`);
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 1);
    request.onload = () => {
      const { status, response } = request;
      if (status === 202) resolve(response.id);
      else reject(Error(response?.message ?? t('The server returned status {status}.', { status: String(status) })));
    };
    request.onerror = () => reject(failure(navigator.onLine ? MESSAGES.noResponse : MESSAGES.offline));
    request.onabort = () => reject(Error(t('The upload was cancelled.')));
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}
