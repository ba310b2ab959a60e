<?php
// Brings the tables of an uploaded database dump into the site, some seconds at a time, and prints how far it has come.
// Run by the platform; visitors cannot reach it.
$request = json_decode( $_SERVER['NIDO_IMPORT'], true );

define( 'SHORTINIT', true );
require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php';

const NIDO_CHUNK   = 1 << 20;
const NIDO_SECONDS = 20;
/** Rows are inserted in parts of this size: the embedded database needs much memory for a statement. */
const NIDO_PART = 1 << 16;

/** The statements of a dump, each with the place after it. Comments are left out, also those that MySQL would run. */
function nido_statements( $file, $place ) {
	$stream = fopen( $file, 'rb' );
	fseek( $stream, $place );
	$text = '';
	$at   = 0;
	$out  = '';
	$more = static function () use ( $stream, &$text ) {
		$chunk = fread( $stream, NIDO_CHUNK );
		$text .= $chunk;
		return '' !== $chunk && false !== $chunk;
	};
	// Reads on until the mark is found, and returns the place after it.
	$find = static function ( $mark, $from ) use ( &$text, $more ) {
		while ( false === ( $found = strpos( $text, $mark, min( $from, strlen( $text ) ) ) ) ) {
			$from = max( $from, strlen( $text ) - strlen( $mark ) + 1 );
			if ( ! $more() ) {
				return strlen( $text );
			}
		}
		return $found + strlen( $mark );
	};
	while ( true ) {
		$plain = strcspn( $text, "'\"`;-#/", $at );
		$out  .= substr( $text, $at, $plain );
		$at   += $plain;
		if ( strlen( $text ) - $at < 3 && $more() ) {
			continue;
		}
		if ( $at >= strlen( $text ) ) {
			break;
		}
		$sign = $text[ $at ];
		$two  = substr( $text, $at, 2 );
		if ( "'" === $sign || '"' === $sign || '`' === $sign ) {
			$end = $at + 1;
			while ( true ) {
				$end += strcspn( $text, "$sign\\", $end );
				if ( strlen( $text ) - $end < 2 && $more() ) {
					continue;
				}
				if ( $end >= strlen( $text ) ) {
					break;
				}
				if ( '\\' === $text[ $end ] && '`' !== $sign ) {
					$end += 2;
				} elseif ( $sign === ( $text[ $end + 1 ] ?? '' ) && $sign === $text[ $end ] ) {
					$end += 2;
				} elseif ( $sign === $text[ $end ] ) {
					++$end;
					break;
				} else {
					++$end;
				}
			}
			$out .= substr( $text, $at, $end - $at );
			$at   = $end;
		} elseif ( ';' === $sign ) {
			++$at;
			yield trim( $out ) => $place + $at;
			$out = '';
			if ( $at > NIDO_CHUNK / 2 ) {
				$place += $at;
				$text   = substr( $text, $at );
				$at     = 0;
			}
		} elseif ( '#' === $sign || ( '--' === $two && ctype_space( $text[ $at + 2 ] ?? ' ' ) ) ) {
			$at = $find( "\n", $at );
		} elseif ( '/*' === $two ) {
			$at = $find( '*/', $at + 2 );
		} else {
			$out .= $sign;
			++$at;
		}
	}
	if ( '' !== trim( $out ) ) {
		yield trim( $out ) => $place + $at;
	}
}

/** The rows of an INSERT statement, each with its parentheses, up to a clause that follows them. */
function nido_rows( $values ) {
	$at     = 0;
	$start  = 0;
	$depth  = 0;
	$length = strlen( $values );
	while ( $at < $length ) {
		$plain = strcspn( $values, "'\"()", $at );
		// After the last row there may be ON DUPLICATE KEY UPDATE.
		if ( $at + $plain >= $length || ( 0 === $depth && '' !== trim( substr( $values, $at, $plain ), " \t\r\n," ) ) ) {
			return;
		}
		$at  += $plain;
		$sign = $values[ $at ];
		++$at;
		if ( '(' === $sign ) {
			if ( 0 === $depth++ ) {
				$start = $at - 1;
			}
		} elseif ( ')' === $sign ) {
			if ( 0 === --$depth ) {
				yield substr( $values, $start, $at - $start );
			}
		} else {
			while ( $at < $length ) {
				$at += strcspn( $values, "$sign\\", $at );
				if ( $at >= $length || ( $sign === $values[ $at ] && $sign !== ( $values[ $at + 1 ] ?? '' ) ) ) {
					++$at;
					break;
				}
				$at += 2;
			}
		}
	}
}

$report = array( 'place' => 0, 'is_done' => false, 'statements' => 0, 'tables' => array(), 'skipped' => array(), 'problems' => array() );

function nido_run( $sql, $table ) {
	global $wpdb, $report;
	$wpdb->suppress_errors();
	if ( false === $wpdb->query( $sql ) && count( $report['problems'] ) < 20 ) {
		$report['problems'][] = array( 'table' => $table, 'text' => substr( wp_strip_all_tags( $wpdb->last_error ), 0, 300 ) );
	}
	++$report['statements'];
}

/** Runs a statement about one of the dump's WordPress tables, under the name that the table has here. */
function nido_import( $statement, $old_prefix ) {
	global $wpdb, $report, $request;
	$kinds = 'DROP TABLE(?: IF EXISTS)?|CREATE TABLE(?: IF NOT EXISTS)?|INSERT(?: IGNORE)? INTO|REPLACE INTO|ALTER TABLE';
	if ( ! preg_match( "/^($kinds)\s+(?:[`\"]?[\w-]+[`\"]?\.)?[`\"]?(\w+)[`\"]?/i", $statement, $found ) ) {
		return;
	}
	list( $head, $kind, $old ) = $found;
	$kind                      = strtoupper( $kind );
	if ( ! str_starts_with( $old, $old_prefix ) ) {
		$report['skipped'][ $old ] = true;
		return;
	}
	$table = $wpdb->prefix . substr( $old, strlen( $old_prefix ) );
	// What is chosen is for the site's owner to say, not for whoever made the dump.
	if ( isset( $request['only'] ) && ! in_array( $table, $request['only'], true ) ) {
		$report['skipped'][ $old ] = true;
		return;
	}
	$rest = substr( $statement, strlen( $head ) );
	if ( str_starts_with( $kind, 'CREATE' ) ) {
		$report['tables'][ $table ] = true;
		// Collations that only MySQL 8 knows, and references to tables that are not there yet.
		$rest = preg_replace( '/utf8mb4_0900_\w+/', 'utf8mb4_unicode_520_ci', $rest );
		$rest = isset( $request['only'] ) ? $rest : preg_replace( '/,\s*CONSTRAINT\s+`[^`]*`\s+FOREIGN KEY[^\n]*?(?=,?\s*\n|\)\s*(ENGINE|$))/i', '', $rest );
	}
	if ( preg_match( '/^(INSERT|REPLACE)/', $kind ) && preg_match( '/^\s*(\([^)]*\))?\s*VALUES\s*/i', $rest, $found ) ) {
		$part = '';
		foreach ( nido_rows( substr( $rest, strlen( $found[0] ) ) ) as $row ) {
			if ( '' !== $part && strlen( $part ) + strlen( $row ) > NIDO_PART ) {
				nido_run( "$kind `$table` {$found[0]} $part", $table );
				$part = '';
			}
			$part .= '' === $part ? $row : ",$row";
		}
		if ( '' !== $part ) {
			nido_run( "$kind `$table` {$found[0]} $part", $table );
		}
		return;
	}
	nido_run( "$kind `$table`$rest", $table );
}

set_time_limit( 0 );
$wpdb->query( "SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO'" );
$wpdb->query( 'SET SESSION foreign_key_checks = 0' );
$place = $request['place'];
if ( 0 === $place && ! isset( $request['only'] ) ) {
	foreach ( $wpdb->get_col( "SHOW TABLES LIKE '" . $wpdb->esc_like( $wpdb->prefix ) . "%'" ) as $table ) {
		$wpdb->query( "DROP TABLE `$table`" );
	}
}
$file  = WP_CONTENT_DIR . '/' . $request['file'];
$until = microtime( true ) + NIDO_SECONDS;
$wpdb->query( 'START TRANSACTION' );
$report['is_done'] = true;
$is_body = false;
foreach ( nido_statements( $file, $place ) as $statement => $place ) {
	// DELIMITER $$ begins the bodies of triggers and procedures, and DELIMITER ; ends them.
	$is_body = $is_body || preg_match( '/^DELIMITER\s+\S/i', $statement );
	if ( $is_body || preg_match( '/^DELIMITER$/i', $statement ) ) {
		$is_body = ! preg_match( '/DELIMITER\s*$/i', substr( $statement, -50 ) );
		continue;
	}
	nido_import( $statement, $request['prefix'] );
	if ( microtime( true ) > $until ) {
		$report['is_done'] = false;
		break;
	}
}
$wpdb->query( 'COMMIT' );
if ( $report['is_done'] ) {
	$old = $request['prefix'];
	// Roles and rights carry the prefix in their names.
	if ( $old !== $wpdb->prefix ) {
		$wpdb->query( $wpdb->prepare( "UPDATE $wpdb->options SET option_name = %s WHERE option_name = %s", "{$wpdb->prefix}user_roles", "{$old}user_roles" ) );
		foreach ( $wpdb->get_results( $wpdb->prepare( "SELECT umeta_id, meta_key FROM $wpdb->usermeta WHERE meta_key LIKE %s", $wpdb->esc_like( $old ) . '%' ) ) as $row ) {
			$wpdb->update( $wpdb->usermeta, array( 'meta_key' => $wpdb->prefix . substr( $row->meta_key, strlen( $old ) ) ), array( 'umeta_id' => $row->umeta_id ) );
		}
	}
	unlink( $file );
}
$report['place']   = $place;
$report['tables']  = array_keys( $report['tables'] );
$report['skipped'] = array_keys( $report['skipped'] );
echo wp_json_encode( $report );
