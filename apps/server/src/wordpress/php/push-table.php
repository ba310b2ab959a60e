<?php
// Prints some rows of a table as SQL, and where the next ones begin. Run by the platform; visitors cannot reach it.
$request = json_decode( $_SERVER['NIDO_TABLE'], true );

define( 'SHORTINIT', true );
require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php';
require __DIR__ . '/table-sql.php';

$piece = nido_table_sql( $request['name'], $request['after'] );
if ( null === $piece ) {
	http_response_code( 500 );
	exit( 'The database does not answer.' );
}
// The values of a column need not be UTF-8.
echo json_encode( array( 'sql' => base64_encode( $piece['sql'] ), 'next' => $piece['next'] ) );
