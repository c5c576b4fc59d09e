import type { Attachment } from '../../../domain/attachment.ts';

export const PDF = 'application/pdf';

export const isSound = ({ mediaType }: Attachment): boolean => mediaType.startsWith('audio/');
