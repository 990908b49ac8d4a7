/** Stands in every document.json; the number is raised when a field is renamed or removed. */
export const documentSchemaName = 'pagestream/document/1'
