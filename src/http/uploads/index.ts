export { downloadUpload } from './download-upload.js'
export { keepUpload } from './keep-upload.js'
export { listUploads, oneUpload } from './own-uploads.js'
export { receiveUpload } from './receive-upload.js'
